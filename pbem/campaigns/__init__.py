"""Campaigns: linked matches with memory.

rules     a campaign as a script for the kernel: stages, rosters, battles as asks that matches answer (pure)
battles   matches made from calls, reports made from their ends
tick      the server's automatic work for campaigns
people    a pause of the whole campaign, with its battles
chronicle the story of a campaign, from stored findings
bundle    a campaign with all its battles as one file that can be verified
simulate  campaigns played by bots, for balance
"""
