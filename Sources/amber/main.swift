import AmberCommand
import Glibc

exit(await AmberCommand.run(Array(CommandLine.arguments.dropFirst())))
