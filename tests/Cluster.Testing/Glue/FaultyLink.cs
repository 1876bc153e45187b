using Cluster.Glue;

namespace Cluster.Testing.Glue;

/// <summary>Disturbs the frames between a Glue client and its servers: it cuts, delays, repeats, drops, corrupts or
/// slows them, or holds one substream back behind another. Random faults come from a seed, so that a run can be
/// repeated. Made for tests of programs that use Glue. Thread-safe.</summary>
/// <remarks>A frame is one gRPC message: a handshake, or a batch of calls, answers and notices. The streams of a link
/// are numbered in the order of their opening, from 1: as a rule 1 carries control, 2 the calls.</remarks>
/// <remarks>Makes a link without faults.</remarks>
/// <param name="seed">The seed of all random faults; print it with a failing test.</param>
public sealed class FaultyLink(int seed = 1)
{
    private readonly Lock _gate = new();
    private readonly Random _random = new Random(seed);
    private readonly List<FaultyStream> _streams = [];
    private readonly List<FrameFault> _faults = [];
    private readonly Dictionary<int, TaskCompletionSource> _held = [];
    private long _frameCount;
    private int _streamCount;

    /// <summary>The seed of all random faults.</summary>
    public int Seed { get; } = seed;

    /// <summary>The number of frames that passed or were disturbed, in both directions.</summary>
    public long FrameCount => Interlocked.Read(ref _frameCount);

    /// <summary>The number of streams that were opened.</summary>
    public int StreamCount => Volatile.Read(ref _streamCount);

    /// <summary>While set, no stream can be opened: connecting fails as if the host could not be reached.</summary>
    public bool IsDown { get; set; }

    /// <summary>The clock that measures delays.</summary>
    /// <value>Default: the system clock.</value>
    public TimeProvider Time { get; set; } = TimeProvider.System;

    /// <summary>Makes every stream that a client with these options opens pass through this link.</summary>
    /// <param name="options">The options of a client that is not created yet.</param>
    public void Attach(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.WrapConnector = inner => new FaultyConnector(inner, this);
    }

    /// <summary>Cuts all open streams.</summary>
    public void Cut()
    {
        foreach (var stream in Open())
            stream.Abort();
    }

    /// <summary>Cuts the stream of the n-th frame from now on, counted in one direction or in both.</summary>
    /// <param name="n">From 1.</param>
    /// <param name="direction">Null: both.</param>
    /// <param name="isDelivered">Whether that frame still arrives.</param>
    public void CutAt(int n, FrameDirection? direction = null, bool isDelivered = false)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(n, 1);
        Add(new FrameFault(isDelivered ? FrameAction.CutAfter : FrameAction.CutBefore, direction, n));
    }

    /// <summary>Cuts the stream of each frame with this probability.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public void CutAtRandom(double probability) =>
        Add(new FrameFault(FrameAction.CutBefore, null) { Probability = probability });

    /// <summary>Sends each frame twice with this probability. Handshakes are not repeated.</summary>
    /// <param name="probability">From 0 to 1.</param>
    /// <param name="direction">Null: both.</param>
    public void Repeat(double probability, FrameDirection? direction = null) =>
        Add(new FrameFault(FrameAction.Repeat, direction) { Probability = probability });

    /// <summary>Drops each frame with this probability, without any sign; with 1 in one direction the link is half
    /// open. A stream that loses its handshake is cut.</summary>
    /// <param name="probability">From 0 to 1.</param>
    /// <param name="direction">Null: both.</param>
    public void Drop(double probability, FrameDirection? direction = null) =>
        Add(new FrameFault(FrameAction.Drop, direction) { Probability = probability });

    /// <summary>Flips one bit of each frame with this probability.</summary>
    /// <param name="probability">From 0 to 1.</param>
    /// <param name="direction">Null: both.</param>
    public void Corrupt(double probability, FrameDirection? direction = null) =>
        Add(new FrameFault(FrameAction.Corrupt, direction) { Probability = probability });

    /// <summary>Delays each frame.</summary>
    /// <param name="time">The delay.</param>
    /// <param name="direction">Null: both.</param>
    public void Delay(TimeSpan time, FrameDirection? direction = null) =>
        Add(new FrameFault(FrameAction.Delay, direction) { Time = time });

    /// <summary>Limits the bytes per second on each stream.</summary>
    /// <param name="bytesPerSecond">At least 1.</param>
    /// <param name="direction">Null: both, each with its own limit.</param>
    public void Throttle(long bytesPerSecond, FrameDirection? direction = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytesPerSecond, 1);
        Add(new FrameFault(FrameAction.Throttle, direction) { BytesPerSecond = bytesPerSecond });
    }

    /// <summary>Holds back the client's frames on one stream until <see cref="Release"/>, so that other substreams
    /// overtake it.</summary>
    /// <param name="stream">The stream's number.</param>
    public void Hold(int stream)
    {
        lock (_gate)
            _held.TryAdd(stream, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
    }

    /// <summary>Lets a held stream continue.</summary>
    /// <param name="stream">The stream's number.</param>
    public void Release(int stream)
    {
        lock (_gate)
        {
            if (_held.Remove(stream, out var held))
                held.SetResult();
        }
    }

    /// <summary>Removes all faults and lets held streams continue.</summary>
    public void Heal()
    {
        IsDown = false;
        lock (_gate)
        {
            _faults.Clear();
            foreach (var held in _held.Values)
                held.SetResult();
            _held.Clear();
        }
    }

    internal FaultyStream Add(Cluster.Glue.Transport.IMessageStream inner)
    {
        var stream = new FaultyStream(inner, this, Interlocked.Increment(ref _streamCount));
        lock (_gate)
            _streams.Add(stream);
        return stream;
    }

    internal void Remove(FaultyStream stream)
    {
        lock (_gate)
            _streams.Remove(stream);
    }

    internal Task HeldAsync(int stream)
    {
        lock (_gate)
            return _held.TryGetValue(stream, out var held) ? held.Task : Task.CompletedTask;
    }

    /// <summary>Decides what happens to the next frame.</summary>
    internal FramePlan Next(FrameDirection direction, int bytes)
    {
        Interlocked.Increment(ref _frameCount);
        lock (_gate)
        {
            var plan = default(FramePlan);
            foreach (var fault in _faults)
            {
                if (fault.Applies(direction, _random))
                    plan = plan.With(fault, bytes, _random);
            }

            return plan;
        }
    }

    private void Add(FrameFault fault)
    {
        lock (_gate)
            _faults.Add(fault);
    }

    private List<FaultyStream> Open()
    {
        lock (_gate)
            return [.. _streams];
    }
}
