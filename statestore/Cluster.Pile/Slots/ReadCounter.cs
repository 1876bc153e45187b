namespace Cluster.Pile.Slots;

/// <summary>Counts reads, which take no lock and enter no operation, in stripes on separate cache lines. Owned by one
/// pile; unprotected: two threads in one stripe may lose a count, two in different stripes never interfere.</summary>
/// <remarks>The stripe is computed from the address of the caller's stack, which needs no look-up of the thread: stacks
/// are megabytes apart, and the multiplication spreads equal distances evenly.</remarks>
internal sealed unsafe class ReadCounter
{
    private const int StripesShift = 7;
    private const int StripeWords = 16;
    private const int StackShift = 18;
    private const ulong Spread = 0x9E3779B97F4A7C15;

    // One stripe more at the front, because the array's length is stored there and other threads read it.
    private readonly long[] _counts = new long[((1 << StripesShift) + 1) * StripeWords];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(int count = 1)
    {
        byte onStack;
        var stripe = (int)((((ulong)&onStack >> StackShift) * Spread) >> (64 - StripesShift));
        Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_counts), (stripe + 1) * StripeWords) += count;
    }

    public long Sum()
    {
        long sum = 0;
        for (var at = StripeWords; at < _counts.Length; at += StripeWords)
            sum += Volatile.Read(ref _counts[at]);
        return sum;
    }
}
