using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Storage;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Tests.Protocol.Wire;

/// <summary>Frames of every kind with random content. Stateless.</summary>
internal static class SampleFrames
{
    public const int PartitionCount = 1_024;

    public static FrameHeader Header { get; } = new(
        new Guid("11111111-2222-3333-4444-555555555555"),
        new Guid("66666666-7777-8888-9999-aaaaaaaaaaaa"),
        new Guid("bbbbbbbb-cccc-dddd-eeee-ffffffffffff"));

    /// <summary>Makes a frame of a kind.</summary>
    public static object Draw(FrameKind kind, Random random) => kind switch
    {
        FrameKind.Beacon => new Beacon(Number(random), Number(random), Many(random, Slot))
        {
            IsCoordinator = random.Next(2) == 0,
        },
        FrameKind.BeaconAck => new BeaconAck(-Number(random), Number(random), Many(random, Partition)),
        FrameKind.TableHint => new TableHint(Number(random)),
        FrameKind.Proposal => new Proposal(Number(random), Many(random, Wish)),
        FrameKind.MemberAsk => new MemberAsk(Member(random)),
        FrameKind.DeathReport => new DeathReport(Node(random), $"proof {random.Next(100)}"),
        FrameKind.Append => new AppendFrame(Number(random), Many(random, AppendItem)),
        FrameKind.Ack => new AckFrame(Number(random), Number(random), Many(random, AckItem)),
        FrameKind.CopyAsk => Ask(random),
        FrameKind.CopyChunk => new CopyChunk(Ask(random), Number(random), random.Next(), Entry(random), Many(random, Record))
        {
            Requests = Many(random, Client),
            IsLast = random.Next(2) == 0,
            IsDifference = random.Next(2) == 0,
            IsBaseRefused = random.Next(2) == 0,
            Time = Number(random),
        },
        FrameKind.CopyAskWithBase => Ask(random) with { Base = new BaseMark(Entry(random), random.Next()) },
        FrameKind.CommitAsk => CommitAsk(random),
        FrameKind.CommitTold => CommitTold(random),
        FrameKind.CopyAck => new CopyAck(Ask(random), Number(random), random.Next()),
        FrameKind.Layouts => new LayoutsFrame(Many(random, Layouts), Bytes(random)),
        FrameKind.LayoutsKept => new LayoutsKept(Many(random, one => Layouts(one).Mark)),
        _ => throw new ArgumentOutOfRangeException(nameof(kind)),
    };

    /// <summary>Describes everything in a frame, so that two frames can be compared.</summary>
    public static string Describe(object? part) => part switch
    {
        null => "null",
        ReadOnlyMemory<byte> bytes => Convert.ToHexString(bytes.Span),
        string text => text,
        IEnumerable items => $"[{string.Join(", ", items.Cast<object>().Select(Describe))}]",
        _ when part.GetType() is { IsPrimitive: false, IsEnum: false } type
            && type.Namespace?.StartsWith("Cluster", StringComparison.Ordinal) == true =>
            $"{type.Name}({string.Join(", ", type.GetProperties().Where(property => property.GetMethod!.IsStatic == false)
                .Where(property => property.GetIndexParameters().Length == 0)
                .Select(property => $"{property.Name}: {Describe(property.GetValue(part))}"))})",
        ValueTuple<long, ReadOnlyMemory<byte>> pair => $"{pair.Item1}={Describe(pair.Item2)}",
        _ => $"{part}",
    };

    private static ImmutableArray<T> Many<T>(Random random, Func<Random, T> draw) =>
        [.. Enumerable.Range(0, random.Next(4)).Select(_ => draw(random))];

    private static long Number(Random random) => random.NextInt64() >> random.Next(63);

    private static NodeSlot Slot(Random random) => new((ushort)random.Next(ushort.MaxValue));

    private static PartitionId Partition(Random random) => new(random.Next(PartitionCount));

    private static long Epoch(Random random) => random.Next(1 << 24);

    private static EntryId Entry(Random random) => EntryId.Of(Epoch(random), random.NextInt64(EntryId.CounterMax));

    private static NodeId Node(Random random) => new($"node {random.Next()}", Guid.NewGuid());

    private static byte[] Bytes(Random random)
    {
        var bytes = new byte[random.Next(random.Next(2) == 0 ? 4 : 300)];
        random.NextBytes(bytes);
        return bytes;
    }

    private static StateKey Key(Random random) => new((ushort)random.Next(9), Bytes(random));

    private static CopyAsk Ask(Random random) => new(Partition(random), Epoch(random), Number(random));

    private static CommitAsk CommitAsk(Random random) => new(Partition(random), Epoch(random), -Number(random));

    private static CommitTold CommitTold(Random random)
    {
        var ask = CommitAsk(random);
        return new CommitTold(ask, EntryId.Of(random.NextInt64(ask.Epoch + 1), Number(random) & 0xFFFF), Number(random));
    }

    private static Wish Wish(Random random)
    {
        var changes = Enum.GetValues<PartitionChange>();
        return new Wish(Partition(random), changes[random.Next(changes.Length)], Slot(random), Epoch(random));
    }

    private static ClusterMember Member(Random random) => new(
        Slot(random), Node(random), "http://a:1", "a:2", new(Many(random, one => $"service {one.Next()}")), MemberState.Active)
    {
        PeerAddress = random.Next(2) == 0 ? null : "http://a:3",
        Protocol = random.Next(ProtocolVersion.First, ProtocolVersion.Max + 1),
    };

    private static LayoutsPart Layouts(Random random) =>
        new((uint)random.Next(), random.Next(1_000), Many(random, Bytes));

    private static AckItem AckItem(Random random) => new(
        Partition(random), Epoch(random), (AppendVerdict)random.Next(5), Entry(random), Number(random));

    private static AppendItem AppendItem(Random random)
    {
        var (epoch, previous) = (Epoch(random), random.NextInt64(1 << 20));
        var entries = Enumerable.Range(1, random.Next(4)).Select(step => LogEntry(random, EntryId.Of(epoch, previous + step)));
        var committed = EntryId.Of(random.NextInt64(epoch + 1), random.NextInt64(EntryId.CounterMax));
        return new AppendItem(Partition(random), epoch, EntryId.Of(epoch, previous), committed, [.. entries])
        {
            Scan = Number(random),
        };
    }

    private static LoggedEntry LogEntry(Random random, EntryId id)
    {
        var entry = new LogEntry(id, EntryKind.Put, Key(random))
        {
            Time = Number(random),
            HasValue = true,
            Value = Bytes(random),
            Request = random.Next(2) == 0 ? null : new RequestId(Guid.NewGuid(), Number(random), Number(random)),
        };
        var bytes = new byte[LogEntryCodec.SizeOf(entry)];
        LogEntryCodec.Write(entry, bytes);
        return new LoggedEntry(id, bytes);
    }

    private static RecordImage Record(Random random) => new(Key(random), Entry(random), Number(random), Bytes(random));

    private static RequestImage Client(Random random) => new(
        Guid.NewGuid(),
        Number(random),
        Number(random),
        Many(random, static one => (Number(one), (ReadOnlyMemory<byte>)Bytes(one))));
}
