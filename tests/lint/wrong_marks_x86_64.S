/*
 * An object with the wrong notes for the linker.
 */
	.text
	.globl	fc_wrong_marks
fc_wrong_marks:
	endbr64
	ret

	.section .note.GNU-stack, "x", @progbits
