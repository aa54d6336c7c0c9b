"""24 Warsaw Pact artillery divisions."""
