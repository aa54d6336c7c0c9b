"""The rules of campaigns, pure like those of a title: numbers C1 to C8, explained in the guide."""
