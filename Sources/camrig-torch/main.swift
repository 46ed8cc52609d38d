exitProcess(with: HelperProgram.run(Array(CommandLine.arguments.dropFirst())))
