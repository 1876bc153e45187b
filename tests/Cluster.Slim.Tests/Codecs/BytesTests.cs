using Cluster.Slim.Hosting;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Bytes in memory that is no array of their own, in the form of a byte array.</summary>
[Trait("Case", "slim-bytes")]
public sealed class BytesTests
{
    private static readonly SlimSerializer Slim = new();

    public static TheoryData<byte[]?> Samples => new() { null, Array.Empty<byte>(), new byte[] { 1 }, Long(100_000) };

    // Names of one length, so that nothing but the name differs.
    [Fact]
    public void Layout_IsThatOfAByteArray()
    {
        var bytes = Text(SlimLayouts.DescriptionOf(Slim, typeof(BytesCard)));
        Assert.Contains(nameof(BytesCard), bytes, StringComparison.Ordinal);
        Assert.Equal(
            Text(SlimLayouts.DescriptionOf(Slim, typeof(ArrayCard))),
            bytes.Replace(nameof(BytesCard), nameof(ArrayCard), StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void Message_IsThatOfAByteArray(byte[]? sample)
    {
        var bytes = Full().Serialize(new BytesCard { Key = [7], Payload = sample, Tail = "end" });
        var array = Full().Serialize(new ArrayCard { Key = [7], Payload = sample, Tail = "end" });
        Assert.Equal(Text(Renamed<ArrayCard>(array)), Text(bytes));
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void Value_ComesBack_InEachMemory(byte[]? sample)
    {
        foreach (var memory in Enum.GetValues<SlimBytesMemory>())
        {
            var message = Slim.Serialize(new BytesCard { Key = [7], Payload = sample, Tail = "end" });
            var back = Read<BytesCard>(message, memory);
            Assert.Equal(sample, back.Payload.ToArray());
            Assert.Equal((sample is null, sample?.Length ?? 0), (back.Payload.IsNull, back.Payload.Length));
            Assert.Equal("end", back.Tail);
            var isLent = memory == SlimBytesMemory.Lent && sample?.Length > 0;
            Assert.Equal(isLent, message.AsSpan().Overlaps(back.Payload.Span));
            back.Payload.Return();
        }
    }

    [Fact]
    public void Return_OfPooledBytes_GivesTheArrayBack()
    {
        var back = Read<BytesCard>(Slim.Serialize(new BytesCard { Payload = Long(300) }), SlimBytesMemory.Pooled);
        back.Payload.Return();
        var rented = ArrayPool<byte>.Shared.Rent(300);
        Assert.True(rented.AsSpan().Overlaps(back.Payload.Span));
        ArrayPool<byte>.Shared.Return(rented);
    }

    [Fact]
    public void Lent_MessageOfSeveralSegments_HasBytesOfItsOwn()
    {
        var message = Slim.Serialize(new BytesCard { Payload = Long(300) });
        var first = new Segment(message.AsMemory(0, 40), null);
        var last = new Segment(message.AsMemory(40), first);
        SlimMessageReader reader = new(Slim);
        reader.Begin(new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length), null, SlimBytesMemory.Lent);
        var back = reader.Read<BytesCard>();
        reader.Complete();
        for (var i = 0; i < 20; i++)
            Array.Fill(ArrayPool<byte>.Shared.Rent(message.Length), (byte)0xA7);
        Assert.Equal(Long(300), back.Payload.ToArray());
    }

    [Fact]
    public void Part_OfAnArray_IsWrittenAlone()
    {
        var message = Slim.Serialize(new BytesCard { Payload = new(Long(300).AsMemory(20, 100)) });
        Assert.Equal(Long(300)[20..120], Slim.Deserialize<BytesCard>(message).Payload.ToArray());
    }

    [Fact]
    public void LendingOutput_GetsTheMemoryItself()
    {
        var sample = Long(300);
        LendingOutput output = new();
        SlimMessageWriter writer = new(Slim);
        writer.Begin(output);
        writer.Write(new BytesCard { Key = [7], Payload = sample, Tail = "end" });
        writer.Complete();
        Assert.True(Assert.Single(output.Lent).Span.Overlaps(sample, out var offset));
        Assert.Equal(0, offset);
        var back = Slim.Deserialize<BytesCard>(output.Whole.ToArray());
        Assert.Equal(sample, back.Payload.ToArray());
        Assert.Equal("end", back.Tail);
    }

    [Fact]
    public void LendingOutput_ThatRefuses_GetsACopy()
    {
        LendingOutput output = new() { Refuses = true };
        SlimMessageWriter writer = new(Slim);
        writer.Begin(output);
        writer.Write(new BytesCard { Payload = Long(300), Tail = "end" });
        writer.Complete();
        Assert.Empty(output.Lent);
        Assert.Equal(Long(300), Slim.Deserialize<BytesCard>(output.Whole.ToArray()).Payload.ToArray());
    }

    // An array that two places share is written once; the second place refers to the first.
    [Fact]
    public void Reference_ToAnEarlierArray_IsRead()
    {
        byte[] shared = [1, 2, 3];
        var message = Full().Serialize(new ArrayCard { Key = shared, Payload = shared });
        var back = Read<BytesCard>(Renamed<ArrayCard>(message), SlimBytesMemory.Lent);
        Assert.Equal(shared, back.Payload.ToArray());
    }

    [Fact]
    public void Reference_ToTheBytes_IsRefused()
    {
        byte[] shared = [1, 2, 3];
        var renamed = Renamed<ArrayCard>(Full().Serialize(new ArrayCard { Payload = shared, Tail2 = shared }));
        foreach (var memory in Enum.GetValues<SlimBytesMemory>())
            Assert.Throws<SlimMalformedException>(() => Read<BytesCard>(renamed, memory));
    }

    // The described type has another field, so that its values are read one by one.
    [Fact]
    public void DescribedLayout_OfAnotherBuild_IsRead()
    {
        var message = Full().Serialize(new OlderCard { Payload = Long(300), Gone = 5 });
        var back = Read<BytesCard>(Renamed<OlderCard>(message), SlimBytesMemory.Lent);
        Assert.Equal(Long(300), back.Payload.ToArray());
    }

    [Fact]
    public void DeepBytes_AreReadAfterTheObjectsAboveThem()
    {
        var deepest = new Chain { Payload = Long(300) };
        var first = deepest;
        for (var depth = 0; depth < 300; depth++)
            first = new Chain { Next = first, Payload = new[] { (byte)depth } };
        var back = Slim.Deserialize<Chain>(Slim.Serialize(first));
        for (var depth = 299; depth >= 0; depth--, back = back.Next!)
            Assert.Equal([(byte)depth], back.Payload.ToArray()!);
        Assert.Equal(Long(300), back.Payload.ToArray());
    }

    [Fact]
    public void TruncatedMessage_IsRefusedInEachMemory()
    {
        var message = Slim.Serialize(new BytesCard { Payload = Long(300) });
        foreach (var memory in Enum.GetValues<SlimBytesMemory>())
        {
            for (var length = 0; length < message.Length; length += 7)
                Assert.ThrowsAny<SlimException>(() => Read<BytesCard>(message[..length], memory));
        }
    }

    [Fact]
    public void Box_IsRefused() => Assert.Throws<SlimTypeNotSupportedException>(
        () => new SlimSerializer(new SlimOptions().Allow<SlimBytes>()).Serialize<object>(new SlimBytes([1])));

    [Fact]
    public void Memory_WithoutAnArray_IsCopied()
    {
        using var owner = new NativeMemory(50);
        owner.Memory.Span.Fill(9);
        var bytes = new SlimBytes((ReadOnlyMemory<byte>)owner.Memory);
        Assert.Equal(Enumerable.Repeat((byte)9, 50), bytes.ToArray()!);
    }

    private static SlimSerializer Full() => new(new SlimOptions { Schema = SlimSchema.Full });

    private static byte[] Long(int count) => [.. Enumerable.Range(0, count).Select(i => (byte)(i * 7))];

    private static string Text(byte[] bytes) => Encoding.Latin1.GetString(bytes);

    // Names the type of a message anew, in its description and in the fingerprint before that.
    private static byte[] Renamed<TWritten>(byte[] message)
    {
        var description = SlimLayouts.DescriptionOf(Full(), typeof(TWritten));
        var at = message.AsSpan().IndexOf(description);
        var renamed = Encoding.Latin1.GetBytes(
            Text(description).Replace(typeof(TWritten).Name, nameof(BytesCard), StringComparison.Ordinal));
        renamed.CopyTo(message, at);
        var lengthBytes = renamed.Length < 128 ? 1 : 2;
        BinaryPrimitives.WriteUInt64LittleEndian(
            message.AsSpan(at - lengthBytes - sizeof(ulong)), XxHash3.Hash(renamed));
        return message;
    }

    private static T Read<T>(byte[] message, SlimBytesMemory memory)
    {
        SlimMessageReader reader = new(Full());
        reader.Begin(new ReadOnlySequence<byte>(message), null, memory);
        try
        {
            var value = reader.Read<T>();
            reader.Complete();
            return value;
        }
        finally
        {
            reader.Abort();
        }
    }

    private sealed class BytesCard
    {
        public byte[]? Key { get; init; }

        public SlimBytes Payload { get; init; }

        public string? Tail { get; init; }

        public byte[]? Tail2 { get; init; }
    }

    private sealed class ArrayCard
    {
        public byte[]? Key { get; init; }

        public byte[]? Payload { get; init; }

        public string? Tail { get; init; }

        public byte[]? Tail2 { get; init; }
    }

    private sealed class OlderCard
    {
        public int Gone { get; init; }

        public byte[]? Payload { get; init; }
    }

    private sealed class Chain
    {
        public Chain? Next { get; init; }

        public SlimBytes Payload { get; init; }
    }

    private sealed class LendingOutput : ISlimLendingOutput
    {
        private readonly ArrayBufferWriter<byte> _bytes = new();

        public bool Refuses { get; init; }

        public List<ReadOnlyMemory<byte>> Lent { get; } = [];

        public ReadOnlyMemory<byte> Whole => _bytes.WrittenMemory;

        public bool TryLend(ReadOnlyMemory<byte> bytes)
        {
            if (Refuses)
                return false;
            Lent.Add(bytes);
            _bytes.Write(bytes.Span);
            return true;
        }

        public void Advance(int count) => _bytes.Advance(count);

        public Memory<byte> GetMemory(int sizeHint = 0) => _bytes.GetMemory(sizeHint);

        public Span<byte> GetSpan(int sizeHint = 0) => _bytes.GetSpan(sizeHint);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? before)
        {
            Memory = memory;
            if (before is null)
                return;
            RunningIndex = before.RunningIndex + before.Memory.Length;
            before.Next = this;
        }
    }

    private sealed class NativeMemory(int count) : MemoryManager<byte>
    {
        private readonly nint _start = Marshal.AllocHGlobal(count);

        public override unsafe Span<byte> GetSpan() => new((void*)_start, count);

        public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing) => Marshal.FreeHGlobal(_start);
    }
}
