module operator.example.dev

go 1.25
