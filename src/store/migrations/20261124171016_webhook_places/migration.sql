CREATE TABLE `webhook_place` (
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`seq` integer NOT NULL,
	CONSTRAINT `webhook_place_pk` PRIMARY KEY(`name`, `kind`)
);
