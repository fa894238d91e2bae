"""Les Évadés: seven convicts who belong to nobody, eight dice, four boats, secret bets."""
