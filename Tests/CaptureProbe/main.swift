import Glibc

exit(CaptureProbe.run(Array(CommandLine.arguments.dropFirst())))
