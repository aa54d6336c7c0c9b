HELP = ""
