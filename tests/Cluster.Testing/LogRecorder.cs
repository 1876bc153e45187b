using Microsoft.Extensions.Logging;
using Xunit.Abstractions;

namespace Cluster.Testing;

/// <summary>Records the log of the code under test. Fails the test for each warning and error that the test did not
/// allow. Keep it in a field of the test class and dispose it in the class's <c>Dispose</c>, so that xunit reports its
/// failure in addition to the test's own. A private lock protects the entries. Hosts may dispose the provider more than
/// once.</summary>
public sealed class LogRecorder : IDisposable
{
    /// <summary>The maximum number of kept entries. Further entries are only counted, so that an endless loop cannot
    /// fill the memory.</summary>
    public const int EntryCountMax = 100_000;

    // Kestrel logs this event if its heartbeat was late. It says that the machine is busy, and nothing about the code
    // under test.
    private const string MachineCategory = "Microsoft.AspNetCore.Server.Kestrel";
    private const int MachineBusy = 22;

    private readonly Lock _lock = new();
    private readonly List<LogEntry> _entries = [];
    private readonly List<Func<LogEntry, bool>> _allowed = [];
    private readonly ITestOutputHelper? _output;
    private readonly LoggerFactory _factory;

    /// <summary>Makes an empty recorder.</summary>
    /// <param name="output">If given, every entry is also written to it.</param>
    public LogRecorder(ITestOutputHelper? output = null)
    {
        _output = output;
        Provider = new LogRecorderProvider(this);
        _factory = new LoggerFactory([Provider], new LoggerFilterOptions { MinLevel = LogLevel.Trace });
    }

    /// <summary>The provider that hosts add to their logging:
    /// <c>builder.Logging.AddProvider(logs.Provider)</c>.</summary>
    public ILoggerProvider Provider { get; }

    /// <summary>A factory whose loggers record here, for code that takes a factory.</summary>
    public ILoggerFactory Factory => _factory;

    /// <summary>The recorded entries, the oldest first.</summary>
    public IReadOnlyList<LogEntry> Entries
    {
        get
        {
            lock (_lock)
                return [.. _entries];
        }
    }

    /// <summary>Makes a typed logger that records here.</summary>
    /// <typeparam name="T">The category.</typeparam>
    public ILogger<T> CreateLogger<T>() => _factory.CreateLogger<T>();

    /// <summary>Allows warnings and errors with this event id.</summary>
    /// <param name="eventIds">The ids that this test provokes.</param>
    public LogRecorder Allow(params int[] eventIds) => Allow(entry => eventIds.Contains(entry.Event.Id));

    /// <summary>Allows warnings and errors that the predicate accepts.</summary>
    /// <param name="isExpected">Returns whether the test provokes this entry.</param>
    public LogRecorder Allow(Func<LogEntry, bool> isExpected)
    {
        ArgumentNullException.ThrowIfNull(isExpected);
        lock (_lock)
            _allowed.Add(isExpected);

        return this;
    }

    /// <summary>Waits until an entry with this event id is recorded, and returns the first one.</summary>
    /// <param name="eventId">The event id.</param>
    /// <param name="bound">The maximum wait.</param>
    public Task<LogEntry> WaitForAsync(int eventId, TimeSpan bound) =>
        Eventually.ValueAsync(
            () => Entries.FirstOrDefault(entry => entry.Event.Id == eventId), bound, $"log event {eventId}");

    /// <summary>Fails if a warning or an error was logged that the test did not allow.</summary>
    public void Verify()
    {
        LogEntry[] unexpected;
        lock (_lock)
            unexpected = [.. _entries.Where(IsUnexpectedNeedsLock)];

        if (unexpected.Length > 0)
        {
            var shown = string.Join(Environment.NewLine, unexpected.Take(10));
            throw new Xunit.Sdk.XunitException(
                $"{unexpected.Length} unexpected warnings or errors were logged:{Environment.NewLine}{shown}");
        }
    }

    /// <summary>Calls <see cref="Verify"/>.</summary>
    public void Dispose()
    {
        _factory.Dispose();
        Verify();
    }

    internal void Add(LogEntry entry)
    {
        lock (_lock)
        {
            if (_entries.Count < EntryCountMax)
                _entries.Add(entry);
        }

        try
        {
            _output?.WriteLine(entry.ToString());
        }
        catch (InvalidOperationException)
        {
            // xunit refuses output after the test has ended. The entry is recorded anyway.
        }
    }

    private bool IsUnexpectedNeedsLock(LogEntry entry) =>
        entry.Level >= LogLevel.Warning && !IsAboutTheMachine(entry)
        && !_allowed.Exists(isExpected => isExpected(entry));

    private static bool IsAboutTheMachine(LogEntry entry) =>
        entry.Event.Id == MachineBusy && entry.Category == MachineCategory;
}
