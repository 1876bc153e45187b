using FASTER.core;

namespace Cluster.Benchmarks.Cache;

/// <summary>FASTER with keys and values of bytes, all of its log mutable and in memory, an index of one line for four
/// keys, as its makers advise.</summary>
internal sealed class FasterContender : CacheContender<FasterContender.Session>
{
    private const int EntryBytes = 96;
    private const int PageBits = 22;

    private readonly NullDevice _device = new();
    private readonly FasterKV<SpanByte, SpanByte> _store;

    public FasterContender(long count)
    {
        var memoryBits = BitOperations.Log2(BitOperations.RoundUpToPowerOf2((ulong)(count * EntryBytes)));
        _store = new FasterKV<SpanByte, SpanByte>(
            (long)BitOperations.RoundUpToPowerOf2((ulong)count / 4),
            new LogSettings
            {
                LogDevice = _device,
                ObjectLogDevice = _device,
                MemorySizeBits = Math.Max(memoryBits, PageBits + 2),
                PageSizeBits = PageBits,
                MutableFraction = 1,
            });
    }

    public override void Dispose()
    {
        _store.Dispose();
        _device.Dispose();
    }

    protected override Session Begin() => new(_store);

    public readonly unsafe struct Session(FasterKV<SpanByte, SpanByte> store) : ICacheSession
    {
        private readonly ClientSession<
            SpanByte, SpanByte, SpanByte, SpanByteAndMemory, Empty, SpanByteFunctions<Empty>> _session =
            store.For(new SpanByteFunctions<Empty>()).NewSession<SpanByteFunctions<Empty>>();

        public void Insert(long key, ReadOnlySpan<byte> value)
        {
            fixed (byte* bytes = value)
            {
                var keySpan = SpanByte.FromPointer((byte*)&key, sizeof(long));
                var valueSpan = SpanByte.FromPointer(bytes, value.Length);
                _session.Upsert(ref keySpan, ref valueSpan);
            }
        }

        public bool TryRead(long key, Span<byte> value)
        {
            fixed (byte* bytes = value)
            {
                var keySpan = SpanByte.FromPointer((byte*)&key, sizeof(long));
                var output = new SpanByteAndMemory(bytes, value.Length);
                return _session.Read(ref keySpan, ref output).Found;
            }
        }

        public void Dispose() => _session.Dispose();
    }
}
