namespace Shop.Drive.Front;

/// <summary>The log of the front. Its lines go to standard error. While the live view draws, they would tear it: they
/// are held back, the view shows the newest below itself, and they are printed when the view ends. The number of lines
/// held is bounded. A private lock protects the lines; writing to standard error stands under it too, so that lines
/// keep their order.</summary>
internal sealed class FrontLog(TextWriter output) : ILoggerProvider
{
    public const int HeldLineCountMax = 200;

    private readonly Lock _lock = new();
    private readonly Queue<string> _held = [];
    private bool _isHolding;
    private long _droppedCount;

    public ILogger CreateLogger(string categoryName) => new CategoryLogger(this, categoryName);

    public void Dispose() => Release();

    /// <summary>Holds lines back until <see cref="Release"/>.</summary>
    public void Hold()
    {
        lock (_lock)
            _isHolding = true;
    }

    /// <summary>Prints what was held back, oldest first; later lines are printed at once.</summary>
    public void Release()
    {
        lock (_lock)
        {
            _isHolding = false;
            if (_droppedCount > 0)
            {
                output.WriteLine(string.Create(
                    CultureInfo.InvariantCulture, $"{_droppedCount} older lines of the log were dropped."));
            }

            while (_held.TryDequeue(out var line))
                output.WriteLine(line);

            _droppedCount = 0;
        }
    }

    /// <summary>The newest lines that are held back, oldest first.</summary>
    public IReadOnlyList<string> Newest(int count)
    {
        lock (_lock)
            return [.. _held.TakeLast(count)];
    }

    private void Add(string line)
    {
        lock (_lock)
        {
            if (!_isHolding)
            {
                output.WriteLine(line);
                return;
            }

            if (_held.Count == HeldLineCountMax)
            {
                _held.Dequeue();
                _droppedCount++;
            }

            _held.Enqueue(line);
        }
    }

    /// <summary>Gives the lines of one category to the log. Immutable.</summary>
    private sealed class CategoryLogger(FrontLog log, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            var cause = exception is null ? "" : $"{Environment.NewLine}{exception}";
            log.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"{logLevel}: {category}[{eventId.Id}] {formatter(state, exception)}{cause}"));
        }
    }
}
