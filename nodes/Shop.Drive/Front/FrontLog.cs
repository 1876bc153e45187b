namespace Shop.Drive.Front;

/// <summary>The log of the front, which writes lines to standard error. While the live view draws, such lines would
/// damage the picture: the log holds them back, the view shows the newest, and the log prints them when the view ends.
/// The number of held lines is bounded. A private lock protects the lines; standard error is written under the same
/// lock, so that lines keep their order.</summary>
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

    /// <summary>Prints the held lines, the oldest first. Later lines are printed at once.</summary>
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

    /// <summary>The newest held lines, the oldest first.</summary>
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

    /// <summary>Passes the lines of one category to the log. Immutable.</summary>
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
