namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Reads mutated messages on one thread with a small stack, and judges each: read or refused by a rule, in
/// time, within the memory that the limits allow. What looks slow or big is looked at again, because the machine may
/// have been busy and a serializer may have been made. The message in progress can be seen from outside, should it never
/// end.</summary>
internal sealed class FuzzWorker(FuzzCorpus corpus, ulong seed, Func<long> nextIndex)
{
    public const int StackBytes = 256 * 1024;

    private const int Repeats = 3;
    private const int RecheckEvery = 64;
    private const int HeaderBytes = 2;

    // Twice the budget, because the member path is found by reading again; what is charged for covers what is
    // allocated. On top come the exception with its texts, what reading by reflection boxes, and what a type needs that
    // a message is the first to describe in its way.
    private const long AllocatedBytesMax = 2 * 1024 * 1024;

    // What a message may take for each of its bytes, besides what any message may take. It is generous,
    // because the machine may be busy; keys that many collections share once took more. KeyWorkTests counts steps.
    private const double MicrosecondsPerByteMax = 50;

    private static readonly TimeSpan TimeFree = TimeSpan.FromMilliseconds(500);

    private readonly Dictionary<FuzzCase, Action<byte[]>> _readers = [];
    private readonly MessageMutator _mutator = new(corpus);
    private long _current = -1;
    private long _startedAt;

    public FuzzTally Tally { get; } = new();

    /// <summary>What went wrong, with everything that is needed to see it again.</summary>
    public string? Failure { get; private set; }

    /// <summary>The message in progress and since when, or -1 between messages.</summary>
    public (long Index, long StartedAt) Current => (Volatile.Read(ref _current), Volatile.Read(ref _startedAt));

    public void Run()
    {
        for (var index = nextIndex(); index >= 0 && Failure is null; index = nextIndex())
        {
            try
            {
                Read(index);
            }
            catch (Exception e)
            {
                Failure = Describe(index, e.ToString());
            }
        }
    }

    /// <summary>The text of a failure of the message with the number.</summary>
    public string Describe(long index, string problem)
    {
        (var source, var message) = new MessageMutator(corpus).Next(SeedOf(index));
        return $"seed {seed}, message {index}, made from '{source.Name}': {problem}\n{Convert.ToHexString(message)}";
    }

    private ulong SeedOf(long index) => (seed << 40) + (ulong)index;

    private void Read(long index)
    {
        (var source, var message) = _mutator.Next(SeedOf(index));
        var read = ReaderOf(source);
        Volatile.Write(ref _startedAt, Stopwatch.GetTimestamp());
        Volatile.Write(ref _current, index);
        (var error, var bytes, var time) = Measure(read, message);
        var timeMax = TimeFree + TimeSpan.FromMicroseconds(MicrosecondsPerByteMax * message.Length);
        for (var i = 0; i < Repeats && (bytes > AllocatedBytesMax || time > timeMax); i++)
            (error, bytes, time) = Measure(read, message);
        Volatile.Write(ref _current, -1);
        Judge(index, error, bytes);
        JudgeTime(index, message.Length, error, time, timeMax);
        if (error is not null && index % RecheckEvery == 0 && !source.IsHostile)
            read(source.Message);
    }

    private void JudgeTime(long index, int length, SlimException? error, TimeSpan time, TimeSpan timeMax)
    {
        Tally.CountCost(length, time);
        if (time > timeMax)
            Failure = Describe(index, $"took {time}; {error}");
    }

    private void Judge(long index, SlimException? error, long bytes)
    {
        Tally.Count(error, HeaderBytes);
        Tally.AllocatedMax = Math.Max(Tally.AllocatedMax, bytes);
        if (bytes > AllocatedBytesMax)
            Failure = Describe(index, $"{bytes} bytes allocated; {error}");
        if (error is not null && error.Site is null)
            Failure = Describe(index, $"no rule refused it, the catch-all did: {error}");
    }

    private static (SlimException? Error, long Bytes, TimeSpan Time) Measure(Action<byte[]> read, byte[] message)
    {
        var started = Stopwatch.GetTimestamp();
        var before = GC.GetAllocatedBytesForCurrentThread();
        SlimException? error = null;
        try
        {
            read(message);
        }
        catch (SlimException e)
        {
            error = e;
        }

        var bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        return (error, bytes, Stopwatch.GetElapsedTime(started));
    }

    private Action<byte[]> ReaderOf(FuzzCase source)
    {
        if (_readers.TryGetValue(source, out var known))
            return known;
        return _readers[source] = source.NewReader();
    }
}
