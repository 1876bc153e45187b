namespace Cluster.Pile.Slots;

/// <summary>Counts reads, which enter nothing and lock nothing, in stripes on cache lines of their own. Owned by one
/// pile; unprotected: two threads in one stripe may lose a count, two in different ones never meet.</summary>
/// <remarks>The stripe follows from where the caller's stack lies, which costs no look-up of the thread: stacks are
/// megabytes apart, and the multiplication spreads equal distances evenly.</remarks>
internal sealed unsafe class ReadCounter
{
    private const int StripesShift = 7;
    private const int StripeWords = 16;
    private const int StackShift = 18;
    private const ulong Spread = 0x9E3779B97F4A7C15;

    // One stripe more in front, because the array's length lies there and is read by others.
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
