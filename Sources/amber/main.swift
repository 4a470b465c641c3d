import AmberCommand
import Glibc

exit(AmberCommand.run(Array(CommandLine.arguments.dropFirst())))
