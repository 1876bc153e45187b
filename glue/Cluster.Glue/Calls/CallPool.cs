namespace Cluster.Glue.Calls;

/// <summary>
/// A bounded pool of call objects, which live across threads from send to completion. What came back last is lent
/// first, because it is still in the cache. One place is exchanged atomically, which is enough for a caller alone and
/// saves him the lock; it protects the others.
/// </summary>
internal sealed class CallPool<T>(Func<T> create, int countMax)
    where T : class
{
    private const int InitialCount = 64;

    private readonly Lock _gate = new();
    private T?[] _items = new T?[Math.Min(InitialCount, countMax)];
    private int _count;
    private T? _last;

    public T Rent()
    {
        if (_last is not null && Interlocked.Exchange(ref _last, null) is { } last)
            return last;
        lock (_gate)
        {
            if (_count > 0)
            {
                T item = _items[--_count]!;
                _items[_count] = null;
                return item;
            }
        }

        return create();
    }

    public void Return(T item)
    {
        if (_last is null && Interlocked.CompareExchange(ref _last, item, null) is null)
            return;
        lock (_gate)
        {
            if (_count == countMax)
                return;
            if (_count == _items.Length)
                Array.Resize(ref _items, Math.Min(_items.Length * 2, countMax));
            _items[_count++] = item;
        }
    }
}
