# fish completion for fcrypt(1)

# Whether the command is one of the arguments.
function __fcrypt_is
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

# Whether there is no command yet.
function __fcrypt_is_bare
    not __fcrypt_is enc dec hash keygen info bench help
end

complete -c fcrypt -f
complete -c fcrypt -n __fcrypt_is_bare -a enc -d 'Encrypt files, or standard input'
complete -c fcrypt -n __fcrypt_is_bare -a dec -d 'Decrypt files, or standard input'
complete -c fcrypt -n __fcrypt_is_bare -a hash -d 'Compute or check checksums'
complete -c fcrypt -n __fcrypt_is_bare -a keygen -d 'Make a new key file'
complete -c fcrypt -n __fcrypt_is_bare -a info -d 'Show what headers say'
complete -c fcrypt -n __fcrypt_is_bare -a bench -d 'Measure the kernels'
complete -c fcrypt -n __fcrypt_is_bare -a help -d 'Show the help'
complete -c fcrypt -n __fcrypt_is_bare -s h -l help -d 'Print the help'
complete -c fcrypt -n __fcrypt_is_bare -l version -d 'Print the version'
complete -c fcrypt -n __fcrypt_is_bare -s v -l verbose -d 'With --version: tiers and libraries'
complete -c fcrypt -n '__fcrypt_is help' -a 'enc dec hash keygen info bench help'

# Files
complete -c fcrypt -n '__fcrypt_is enc hash info' -F
complete -c fcrypt -n '__fcrypt_is dec' -k -a '(__fish_complete_suffix .fcrypt; __fish_complete_suffix .luks)'

# Credentials
complete -c fcrypt -n '__fcrypt_is enc dec' -s k -l key-file -rF -d 'Use a key file'
complete -c fcrypt -n '__fcrypt_is enc dec' -s p -l passphrase -d 'Ask for a passphrase'
complete -c fcrypt -n '__fcrypt_is enc dec' -l passphrase-file -rF -d 'Passphrase from a file'
complete -c fcrypt -n '__fcrypt_is enc dec' -l passphrase-fd -x -d 'Passphrase from a descriptor'
complete -c fcrypt -n '__fcrypt_is enc dec' -l passphrase-env -x -a '(set -nx)' -d 'Passphrase from the environment'
complete -c fcrypt -n '__fcrypt_is enc dec' -l passphrase-command -x -d 'Passphrase from a command'

# Outputs
complete -c fcrypt -n '__fcrypt_is enc dec keygen' -s o -l output -rF -d 'Write to a file'
complete -c fcrypt -n '__fcrypt_is enc dec' -s c -l stdout -d 'Write to standard output'
complete -c fcrypt -n '__fcrypt_is enc dec' -s f -l force -d 'Replace outputs'
complete -c fcrypt -n '__fcrypt_is enc dec' -l suffix -x -d 'What outputs of enc end with'

# enc
complete -c fcrypt -n '__fcrypt_is enc' -l cipher -x -a 'aes-256-gcm-siv aes-128-gcm-siv' -d Cipher
complete -c fcrypt -n '__fcrypt_is enc' -l chunk-size -x -a '8K 16K 32K 64K 128K 256K 512K 1M 2M 4M 8M 16M' -d 'Bytes in a chunk'
complete -c fcrypt -n '__fcrypt_is enc' -l kdf-memory -x -d 'Memory of Argon2id in MiB'
complete -c fcrypt -n '__fcrypt_is enc' -l kdf-passes -x -d 'Passes of Argon2id'
complete -c fcrypt -n '__fcrypt_is enc' -l fresh-salt -d 'A salt for each file'

complete -c fcrypt -n '__fcrypt_is enc' -l luks -d 'A LUKS2 image'
complete -c fcrypt -n '__fcrypt_is enc' -l key-size -x -a '256 512' -d 'Bits of the key of the image'
complete -c fcrypt -n '__fcrypt_is enc' -l label -x -d 'Label of the image'
complete -c fcrypt -n '__fcrypt_is enc' -l uuid -x -d 'UUID of the image'
complete -c fcrypt -n '__fcrypt_is enc' -l luks-offset -x -d 'Where the data begin'

# Raw images
complete -c fcrypt -n '__fcrypt_is enc dec' -l xts -d 'Raw AES-XTS'
complete -c fcrypt -n '__fcrypt_is enc dec' -l ctr -d 'Raw AES-CTR'
complete -c fcrypt -n '__fcrypt_is enc dec' -l iv -x -d 'First counter block of --ctr'
complete -c fcrypt -n '__fcrypt_is enc dec' -l sector-size -x -a '512 1024 2048 4096' -d 'Bytes in a sector'
complete -c fcrypt -n '__fcrypt_is enc dec' -l first-sector -x -d 'Number of the first sector'
complete -c fcrypt -n '__fcrypt_is enc dec' -l iv-large-sectors -d 'Tweaks count sectors'
complete -c fcrypt -n '__fcrypt_is enc dec' -l range -x -d 'Only OFFSET:LENGTH of the image'
complete -c fcrypt -n '__fcrypt_is enc dec' -l in-place -d 'Change the image itself'
complete -c fcrypt -n '__fcrypt_is keygen' -l xts -x -a '128 256' -d 'A raw XTS key'

# dec
complete -c fcrypt -n '__fcrypt_is dec' -s t -l test -d 'Verify, write nothing'
complete -c fcrypt -n '__fcrypt_is dec' -l sparse -d 'Make holes of zeros'
complete -c fcrypt -n '__fcrypt_is dec' -l key-slot -x -d 'The LUKS2 slot to try'
complete -c fcrypt -n '__fcrypt_is dec' -l max-memory -x -d 'MiB that Argon2id may take'
complete -c fcrypt -n '__fcrypt_is dec' -l max-kdf-work -x -d 'GiB-passes that Argon2id may take'

# Running
complete -c fcrypt -n '__fcrypt_is enc dec' -s T -l threads -x -d 'Threads to use'
complete -c fcrypt -n '__fcrypt_is enc dec' -l progress -d 'Show progress at once'
complete -c fcrypt -n '__fcrypt_is enc dec' -l no-progress -d 'Do not show progress'

# hash
complete -c fcrypt -n '__fcrypt_is hash' -s b -l binary -d 'Write a star in front of names'
complete -c fcrypt -n '__fcrypt_is hash' -s t -l text -d 'Write no star'
complete -c fcrypt -n '__fcrypt_is hash' -s l -l length -x -d 'Length of the digest in bits'
complete -c fcrypt -n '__fcrypt_is hash' -l tag -d 'Lines that name the algorithm'
complete -c fcrypt -n '__fcrypt_is hash' -s z -l zero -d 'End lines with NUL'
complete -c fcrypt -n '__fcrypt_is hash' -s c -l check -d 'Check lists of checksums'
complete -c fcrypt -n '__fcrypt_is hash' -l ignore-missing -d 'Pass over missing files'
complete -c fcrypt -n '__fcrypt_is hash' -l quiet -d 'No line for files that match'
complete -c fcrypt -n '__fcrypt_is hash' -l status -d 'No lines at all'
complete -c fcrypt -n '__fcrypt_is hash' -l strict -d 'Malformed lines are a failure'
complete -c fcrypt -n '__fcrypt_is hash' -s w -l warn -d 'Tell of every malformed line'
complete -c fcrypt -n '__fcrypt_is hash' -s r -l recursive -d 'All regular files below folders'
complete -c fcrypt -n '__fcrypt_is hash' -l key-file -rF -d 'Keyed checksums'
complete -c fcrypt -n '__fcrypt_is hash' -l algorithm -x -a 'blake2b blake2bp' -d 'Algorithm'
complete -c fcrypt -n '__fcrypt_is hash' -s T -l threads -x -d 'Threads to use'
complete -c fcrypt -n '__fcrypt_is hash' -l progress -d 'Show progress'
complete -c fcrypt -n '__fcrypt_is hash' -s h -l help -d 'Print the help'
complete -c fcrypt -n '__fcrypt_is hash' -l version -d 'Print the version'

# info
complete -c fcrypt -n '__fcrypt_is info' -l json -d 'A JSON object for each file'

# bench
complete -c fcrypt -n '__fcrypt_is bench' -l filter -x -d 'Only what has a text in its name'
complete -c fcrypt -n '__fcrypt_is bench' -l tier -x -a 'generic sse41 aesni bmi2 avx2 avx512' -d 'Only kernels of a tier'
complete -c fcrypt -n '__fcrypt_is bench' -l rounds -x -d 'Measurements of each kernel'
complete -c fcrypt -n '__fcrypt_is bench' -l all -d 'More lengths and offsets'
complete -c fcrypt -n '__fcrypt_is bench' -l list -d 'List operations and sizes'
complete -c fcrypt -n '__fcrypt_is bench' -l csv -d 'Comma-separated values'
complete -c fcrypt -n '__fcrypt_is bench' -l json -d 'A JSON object'

# General
complete -c fcrypt -n '__fcrypt_is enc dec keygen info bench help' -s q -l quiet -d 'Errors only'
complete -c fcrypt -n '__fcrypt_is enc dec keygen info bench help' -s v -l verbose -d 'Say more'
complete -c fcrypt -n '__fcrypt_is enc dec keygen info bench help' -s h -l help -d 'Print the help'
