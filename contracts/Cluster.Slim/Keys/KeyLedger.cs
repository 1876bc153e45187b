using Cluster.Slim.Errors;

namespace Cluster.Slim.Keys;

/// <summary>Counts the cost of hashing, comparing and checking the keys of one message, in steps of about a nanosecond.
/// A reader's ledger throws when the cost crosses its limit. A writer's ledger only counts, and never less than the
/// reader's, so that <see cref="Graph.WriteDoubts"/> knows when a reader might refuse the message. Owned by one reader
/// or writer.</summary>
internal sealed class KeyLedger(bool isWriting)
{
    /// <summary>The cost of comparing the hash codes of two keys in the same bucket.</summary>
    public const long NeighbourSteps = 2;

    /// <summary>The cost of hashing or comparing one part of a key.</summary>
    public const long PartSteps = 8;

    /// <summary>The cost of reading one object by reflection.</summary>
    public const long WalkSteps = 64;

    private const long FreeSteps = 64 * 1024;

    // Small enough that sums do not overflow.
    public const long StepsMax = 1L << 60;

    private readonly bool _isWriting = isWriting;
    private KeyGraph? _graph;
    private SlimLimits _limits = null!;
    private long _messageBytes;

    /// <summary>The cost of the message so far.</summary>
    public long Steps { get; private set; }

    /// <summary>The cost of the previous message.</summary>
    public long LastSteps { get; private set; }

    /// <summary>Whether a writer owns the ledger: it foresees a reader's work and does none.</summary>
    public bool IsWriting => _isWriting;

    /// <summary>Whether a key's content does not determine how a reader's copy of the key will hash, see
    /// <see cref="KeyShape.IsSteady"/>.</summary>
    public bool IsUncertain { get; set; }

    /// <summary>Whether the message refers to an object for a second time, so that two collections may share a
    /// key.</summary>
    public bool HasReferences { get; private set; }

    /// <summary>Whether the limit is off: no cost is refused.</summary>
    public bool IsUnlimited => _limits.MaxKeyWorkPerByte == int.MaxValue;

    /// <summary>The steps that the message may still cost.</summary>
    public long Room => Math.Max(0, AllowedFor(_messageBytes) - Steps);

    /// <summary>Sets the limit for the current length of the message, and returns this ledger.</summary>
    /// <param name="limits">The limits of the serializer.</param>
    /// <param name="messageBytes">The length of the message in bytes; for a writer, the bytes written until
    /// now.</param>
    /// <param name="hasReferences">Whether several collections may share an object of the message.</param>
    public KeyLedger At(SlimLimits limits, long messageBytes, bool hasReferences)
    {
        HasReferences = hasReferences;
        _limits = limits;
        _messageBytes = messageBytes;
        return this;
    }

    public bool HasRoomFor(long steps) => steps <= Room;

    public bool IsOver => Steps > AllowedFor(_messageBytes);

    /// <summary>Counts work before it is done. A reader's ledger throws if the work crosses the limit.</summary>
    public void Add(long steps)
    {
        Steps = Math.Min(StepsMax, Steps + Math.Min(StepsMax, steps));
        if (!_isWriting && Steps > AllowedFor(_messageBytes))
            Refuse();
    }

    /// <summary>Counts <paramref name="count"/> times <paramref name="steps"/>.</summary>
    public void Add(long count, long steps) =>
        Add((long)Math.Min(StepsMax, (double)count * steps));

    /// <summary>Refuses a key that contains itself or is too deep. Returns the cost of the key's own code, in steps. A
    /// shared part counts each time the walk reaches it; in a hostile key that doubles with every level.</summary>
    /// <param name="key">The key; its own code will hash or compare it.</param>
    /// <param name="isShared">Whether another collection may have the key, too, so that its text counts again.</param>
    public long CostOf(object? key, bool isShared) => Graph.Check(key, isShared, _limits.MaxKeyDepth);

    /// <summary>Refuses more entries than a linear search may visit.</summary>
    public void CheckSearched(int count) => CheckSearched(_limits, count);

    /// <summary>Refuses more entries than a linear search may visit; for callers that have no ledger yet.</summary>
    public static void CheckSearched(SlimLimits limits, int count)
    {
        if (count > limits.MaxSearchedEntries)
            Throw.Limit(nameof(SlimLimits.MaxSearchedEntries), limits.MaxSearchedEntries, count);
    }

    /// <summary>The shape of the type of a key or comparer.</summary>
    public KeyShape ShapeOf(Type type) => Graph.ShapeOf(type);

    /// <summary>Discards results about keys, because code that has run since may have changed the keys.</summary>
    public void Forget() => _graph?.Forget();

    /// <summary>Resets the ledger for the next message.</summary>
    public void Clear()
    {
        LastSteps = Steps;
        Steps = 0;
        IsUncertain = false;
        _graph = null;
        _limits = null!;
    }

    /// <summary>Throws the error for keys that cost too much.</summary>
    public void Refuse() => Throw.FormatLimit(
        nameof(SlimLimits.MaxKeyWorkPerByte),
        $"Hashing and comparing the keys of this message of {_messageBytes} bytes takes {Steps} steps, more than the "
        + $"{AllowedFor(_messageBytes)} that SlimLimits.{nameof(SlimLimits.MaxKeyWorkPerByte)} = "
        + $"{_limits.MaxKeyWorkPerByte} allows: many keys have equal hash codes, or collections share large keys.");

    private KeyGraph Graph => _graph ??= new KeyGraph(this);

    private long AllowedFor(long messageBytes) => _limits.MaxKeyWorkPerByte == int.MaxValue
        ? StepsMax
        : FreeSteps + (_limits.MaxKeyWorkPerByte * messageBytes);
}
