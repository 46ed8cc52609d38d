exitProcess(with: Service.run(Array(CommandLine.arguments.dropFirst())))
