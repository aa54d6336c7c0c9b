"""4 Weapons: possession, machine guns, flamethrowers, charges, light anti-tank weapons and mortars."""
