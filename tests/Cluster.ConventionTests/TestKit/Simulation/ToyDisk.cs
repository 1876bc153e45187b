using Cluster.Testing.Simulation.Clients;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>One entry of a toy program. Immutable.</summary>
internal sealed record ToyEntry(long Value, ImmutableArray<long> Items, long Version, long Expiry);

/// <summary>What a toy program keeps over its crashes: entries, and the answers to all requests. Used by one
/// thread.</summary>
internal sealed class ToyDisk
{
    public Dictionary<string, ToyEntry> Entries { get; private init; } = new(StringComparer.Ordinal);

    public Dictionary<(Guid Client, long Sequence), ClientReply> Replies { get; private init; } = [];

    public long Version { get; set; }

    /// <summary>How many programs have used the disk.</summary>
    public int LifeCount { get; set; }

    public ToyDisk Clone() => new()
    {
        Entries = new Dictionary<string, ToyEntry>(Entries, StringComparer.Ordinal),
        Replies = new Dictionary<(Guid Client, long Sequence), ClientReply>(Replies),
        Version = Version,
    };

    /// <summary>Runs an operation once and remembers its answer.</summary>
    /// <param name="request">The operation.</param>
    /// <param name="now">The monotonic clock.</param>
    public ClientReply Execute(ClientRequest request, long now)
    {
        if (Entries.TryGetValue(request.Key.Name, out var entry) && entry.Expiry <= now)
            entry = null;
        var expiry = request.TimeToLive is { } life ? now + life.Ticks : long.MaxValue;
        var reply = request.Action switch
        {
            ClientAction.Get => ReplyTo(request, entry is not null, entry),
            ClientAction.Put => Write(request, request.Argument, [], expiry),
            ClientAction.PutIfVersion when (entry?.Version ?? 0) == request.ExpectedVersion =>
                Write(request, request.Argument, [], expiry),
            ClientAction.PutIfVersion => ReplyTo(request, false, entry),
            ClientAction.Remove => Remove(request, entry),
            ClientAction.Touch when entry is not null => Touch(request, entry, expiry),
            ClientAction.Touch => ReplyTo(request, false, entry),
            ClientAction.Increment => Write(request, (entry?.Value ?? 0) + request.Argument, [], expiry),
            _ => Write(request, 0, [.. entry?.Items ?? [], request.Argument], expiry),
        };
        Replies[(request.Client, request.Sequence)] = reply;
        return reply;
    }

    public static ClientReply ReplyTo(ClientRequest request, bool flag, ToyEntry? entry) =>
        ClientReply.To(request, ClientReplyStatus.Done) with
        {
            Flag = flag,
            Value = entry?.Value ?? 0,
            Items = entry?.Items ?? [],
            Version = entry?.Version ?? 0,
        };

    private ClientReply Write(ClientRequest request, long value, ImmutableArray<long> items, long expiry)
    {
        var entry = new ToyEntry(value, items, ++Version, expiry);
        Entries[request.Key.Name] = entry;
        return ReplyTo(request, true, entry);
    }

    // A touch leaves the version as it is.
    private ClientReply Touch(ClientRequest request, ToyEntry entry, long expiry)
    {
        Entries[request.Key.Name] = entry with { Expiry = expiry };
        return ReplyTo(request, true, entry);
    }

    private ClientReply Remove(ClientRequest request, ToyEntry? entry)
    {
        Entries.Remove(request.Key.Name);
        return ReplyTo(request, entry is not null, null);
    }
}
