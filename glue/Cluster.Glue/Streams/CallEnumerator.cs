using Cluster.Glue.Client;

namespace Cluster.Glue.Streams;

/// <summary>Makes a call at the first step and reads the stream that the call returns. The token of the call and the
/// token of the enumeration both end it, and the exception bears the token that was cancelled. For one user at a
/// time.</summary>
internal sealed class CallEnumerator<T> : IAsyncEnumerator<T>
{
    private readonly OutgoingCall<IAsyncEnumerable<T>> _call;
    private readonly CancellationToken _callToken;
    private readonly CancellationToken _ownToken;
    private readonly CancellationTokenSource? _both;
    private IAsyncEnumerator<T>? _items;

    public CallEnumerator(
        OutgoingCall<IAsyncEnumerable<T>> call, CancellationToken callToken, CancellationToken ownToken)
    {
        _call = call;
        _callToken = callToken;
        _ownToken = ownToken;
        if (callToken.CanBeCanceled && ownToken.CanBeCanceled)
            _both = CancellationTokenSource.CreateLinkedTokenSource(callToken, ownToken);
    }

    public T Current => _items!.Current;

    private CancellationToken Token => _both?.Token ?? (_callToken.CanBeCanceled ? _callToken : _ownToken);

    public ValueTask<bool> MoveNextAsync()
    {
        var next = _items is null ? StartAsync() : _items.MoveNextAsync();
        return next.IsCompletedSuccessfully ? next : FinishAsync(next);
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            if (_items is not null)
                await _items.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            _both?.Dispose();
        }
    }

    private async ValueTask<bool> StartAsync()
    {
        var name = _call.Method.Contract.DisplayName;
        var stream = await _call.SendForTaskAsync(Token).ConfigureAwait(false)
            ?? throw new InvalidOperationException($"{name} returned null instead of a stream.");
        _items = stream.GetAsyncEnumerator(Token);
        return await _items.MoveNextAsync().ConfigureAwait(false);
    }

    private async ValueTask<bool> FinishAsync(ValueTask<bool> next)
    {
        try
        {
            return await next.ConfigureAwait(false);
        }
        catch (OperationCanceledException cancelled) when (Token.IsCancellationRequested)
        {
            var cause = _callToken.IsCancellationRequested ? _callToken : _ownToken;
            if (cancelled.CancellationToken == cause)
                throw;
            throw new OperationCanceledException(cancelled.Message, cancelled, cause);
        }
    }
}
