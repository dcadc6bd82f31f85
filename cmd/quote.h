/*
 * Names in messages as GNU's commands quote them in the C locale, so that a shell reads the quoted
 * name back. What is returned is valid until the next call of any of these.
 */
#ifndef QUOTE_H
#define QUOTE_H

/* quote_shell(name): as it is, where a shell takes it literally, else 'with blanks', "it's", or
 * 'new'$'\n''line'. */
const char *quote_shell(const char *name);

/* quote_word(word): always 'quoted', with quotes, backslashes and what cannot be printed escaped as
 * in C: the argument of an option. */
const char *quote_word(const char *word);

#endif
