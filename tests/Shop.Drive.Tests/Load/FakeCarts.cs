using Shop.Carts;

namespace Shop.Drive.Tests.Load;

/// <summary>Carts in this process. A test can lose or damage them or make all calls fail. Thread-safe per
/// session.</summary>
internal sealed class FakeCarts : ICart
{
    private readonly ConcurrentDictionary<string, Cart> _carts = new();
    private volatile Exception? _failure;

    /// <summary>If set, every call throws this exception.</summary>
    public Exception? Failure
    {
        get => _failure;
        set => _failure = value;
    }

    public int Count => _carts.Count;

    public async ValueTask<Cart?> GetAsync(string session, CancellationToken cancellationToken)
    {
        await EnterAsync();
        return _carts.GetValueOrDefault(session);
    }

    public async ValueTask<CartTotals> AddLineAsync(
        string session, string package, int quantity, CancellationToken cancellationToken)
    {
        await EnterAsync();
        var cart = _carts.GetValueOrDefault(session);
        var totals = new AddLine(session, package, quantity).Apply(ref cart, default);
        _carts[session] = cart!;
        return totals;
    }

    public async ValueTask<bool> RemoveAsync(string session, CancellationToken cancellationToken)
    {
        await EnterAsync();
        return _carts.TryRemove(session, out _);
    }

    public void LoseAll() => _carts.Clear();

    private async Task EnterAsync()
    {
        await Task.Yield();
        if (_failure is { } failure)
            throw failure;
    }
}
