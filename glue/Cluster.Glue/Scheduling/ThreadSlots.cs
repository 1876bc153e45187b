namespace Cluster.Glue.Scheduling;

/// <summary>Lends objects that are used only between two awaits, so that about one object per core is enough and stays
/// in its cache. Each slot is taken and returned with one atomic exchange. Objects without a free slot go to the
/// garbage collector.</summary>
internal sealed class ThreadSlots<T>
    where T : class
{
    private readonly T?[] _slots = new T?[RoundUp(Environment.ProcessorCount * 2)];

    public T? TryTake()
    {
        var mask = _slots.Length - 1;
        var first = Thread.GetCurrentProcessorId();
        for (var i = 0; i < _slots.Length; i++)
        {
            ref var slot = ref _slots[(first + i) & mask];
            if (slot is not null && Interlocked.Exchange(ref slot, null) is { } taken)
                return taken;
        }

        return null;
    }

    public void Put(T item)
    {
        var mask = _slots.Length - 1;
        var first = Thread.GetCurrentProcessorId();
        for (var i = 0; i < _slots.Length; i++)
        {
            ref var slot = ref _slots[(first + i) & mask];
            if (slot is null && Interlocked.CompareExchange(ref slot, item, null) is null)
                return;
        }
    }

    private static int RoundUp(int count) => (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)count);
}
