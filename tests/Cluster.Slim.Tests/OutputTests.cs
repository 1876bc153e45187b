namespace Cluster.Slim.Tests;

/// <summary>Messages are written into memory of the output: whatever sizes it hands out, and also where it has no
/// arrays, the bytes are the same, and a message that fails stays invisible.</summary>
public sealed class OutputTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions().Allow<Refused>());

    public static TheoryData<int, bool> Outputs => new()
    {
        { 1, true }, { 7, true }, { 300, true }, { 4096, true }, { 1 << 20, true }, { 1, false }, { 4096, false },
    };

    [Theory]
    [MemberData(nameof(Outputs))]
    public void EveryOutput_GetsTheSameBytes(int roomBytes, bool hasArrays)
    {
        foreach (var graph in Graphs())
        {
            PieceWriter output = new(roomBytes, hasArrays);
            _slim.Serialize(output, graph);
            Assert.Equal(_slim.Serialize(graph), output.ToArray());
            Assert.Equal(graph.Length, _slim.Deserialize<object[]>(output.ToArray()).Length);
        }
    }

    [Theory]
    [MemberData(nameof(Outputs))]
    public void FailedMessage_UpTo64KiB_LeavesNothing(int roomBytes, bool hasArrays)
    {
        PieceWriter output = new(roomBytes, hasArrays);
        object[] graph = [new byte[30_000], new int[5_000], new string('a', 5_000), new Refused()];
        var error = Assert.ThrowsAny<SlimException>(() => _slim.Serialize(output, graph));
        Assert.Equal((0, 0), (output.ToArray().Length, error.BytesAdvanced));
    }

    [Theory]
    [MemberData(nameof(Outputs))]
    public void FailedMessage_Over64KiB_SaysWhatWentOut(int roomBytes, bool hasArrays)
    {
        PieceWriter output = new(roomBytes, hasArrays);
        object[] graph = [.. Enumerable.Repeat<object>(1, 1_000_000), new Refused()];
        var error = Assert.ThrowsAny<SlimException>(() => _slim.Serialize(output, graph));
        Assert.Equal(output.ToArray().Length, error.BytesAdvanced);
        Assert.True(roomBytes >= 1 << 20 || error.BytesAdvanced > 0);
        _slim.Serialize(output, 1);
        Assert.Equal(_slim.Serialize(1), output.ToArray()[(int)error.BytesAdvanced..]);
    }

    [Fact]
    public void Output_IsAskedForNoMoreThanTheMessageNeeds()
    {
        foreach (var graph in Graphs())
        {
            var message = _slim.Serialize(graph);
            PieceWriter output = new(roomBytes: 1, hasArrays: true) { BytesMax = message.Length };
            _slim.Serialize(output, graph);
            Assert.Equal(message, output.ToArray());
        }
    }

    // A copy is asked for through the span; only what is written in place needs memory.
    [Fact]
    public void LongContent_GoesIntoTheOutputWithoutACopy()
    {
        object[] contents = [new int[10_000], new string('x', 30_000), new double[9_000]];
        foreach (var content in contents)
        {
            _slim.Serialize(content);
            PieceWriter output = new(roomBytes: 1, hasArrays: true);
            _slim.Serialize(output, content);
            Assert.Equal(0, output.SpanCount);
        }
    }

    private static IEnumerable<object[]> Graphs()
    {
        yield return [];
        yield return [1, "a"];
        yield return [new byte[2_100], 1, new byte[2_100], "b", new byte[100_000], new string('x', 3_000)];
        yield return [new double[30_000], "behind", new string('x', 100_000), new string('ж', 100_000), 2];
        yield return [.. Enumerable.Range(0, 400).Select(i => (object)new int[i])];
        yield return [.. Enumerable.Range(0, 60_000).Select(i => (object)i), new byte[70_000]];
    }

    private sealed class Refused
    {
        public Stream? Source = Stream.Null;
    }

    /// <summary>An output that hands out new memory for every call and spoils what it handed out before.</summary>
    private sealed class PieceWriter(int roomBytes, bool hasArrays) : IBufferWriter<byte>
    {
        private readonly List<byte> _written = [];
        private byte[] _room = [];

        public int BytesMax { get; init; } = int.MaxValue;

        public int SpanCount { get; private set; }

        public void Advance(int count)
        {
            _written.AddRange(_room.AsSpan(1, count));
            _room = [];
        }

        public Memory<byte> GetMemory(int sizeHint = 0)
        {
            Array.Fill(_room, (byte)0xEE);
            var room = Math.Max(Math.Max(sizeHint, 1), roomBytes);
            Assert.InRange(sizeHint, 0, BytesMax - _written.Count);
            _room = new byte[room + 1];
            return (hasArrays ? _room : new ForeignMemory(_room).Memory)[1..];
        }

        public Span<byte> GetSpan(int sizeHint = 0)
        {
            SpanCount++;
            return GetMemory(sizeHint).Span;
        }

        public byte[] ToArray() => [.. _written];
    }

    /// <summary>Memory that does not tell its array.</summary>
    private sealed class ForeignMemory(byte[] bytes) : MemoryManager<byte>
    {
        public override Span<byte> GetSpan() => bytes;

        public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

        public override void Unpin() => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
        }
    }
}
