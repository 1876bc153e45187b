using System.Security.Claims;
using Cluster.Glue.Client;
using Cluster.Glue.Observation;
using Cluster.Glue.Routes;

namespace Cluster.Glue.Filters;

/// <summary>A call with filters on the caller's side. After the last filter it is sent by a call object of its
/// own.</summary>
internal sealed class OutgoingCallContext<T> : GlueCallContext
{
    private readonly ClientMethod<T> _method;
    private readonly CallRoute _route;
    private readonly GlueHeaderScope? _outer;
    private readonly CallObservation? _observation;
    private Task? _sending;

    public OutgoingCallContext(
        OutgoingCall<T> call, CallRoute route, GlueBinding binding, CancellationToken cancellationToken)
        : base(call.Method.Contract, call.Method.Owner.Description.Type, call.FirstBox)
    {
        _method = (ClientMethod<T>)call.Method;
        _route = route;
        _observation = call.Observation;
        _outer = AmbientHeaders.Current?.Scope;
        Headers = _outer?.Request.Copy() ?? new GlueHeaders();
        Binding = binding;
        CancellationToken = cancellationToken;
        call.Abandon();
    }

    public override GlueBinding Binding { get; }

    public override ClaimsPrincipal? User => null;

    public override GlueHeaders Headers { get; }

    public override GlueHeaders ReplyHeaders => field ??= new GlueHeaders();

    public override CancellationToken CancellationToken { get; }

    public override IServiceProvider? Services => _route.Settings.Services;

    public async Task<T> RunAsync(Func<GlueCallContext, ValueTask> filters)
    {
        try
        {
            await filters(this).ConfigureAwait(false);
            // A filter may not have awaited the call that it began.
            if (!TryEnd() && Volatile.Read(ref _sending) is { IsCompleted: false } running)
                await running.ConfigureAwait(false);
            return Result is T result ? result : default!;
        }
        finally
        {
            if (_outer is not null)
                _outer.Reply = ReplyHeaders;
        }
    }

    internal override ValueTask ContinueAsync()
    {
        BeginRunning();
        var sending = SendAsync();
        Volatile.Write(ref _sending, sending);
        return new ValueTask(sending);
    }

    private protected override bool Accepts(object? result) =>
        result is T ? _method.Contract.HasResult : result is null && default(T) is null;

    private async Task SendAsync()
    {
        using var scope = GlueCall.WithHeaders(Headers);
        try
        {
            var call = _method.Begin(_route);
            call.BecomePartOf(_observation);
            for (var box = Arguments.First; box is not null; box = box.Next)
                box.WriteTo(call);
            var result = await call.SendForTaskAsync(CancellationToken).ConfigureAwait(false);
            if (_method.Contract.HasResult)
                Result = result;
        }
        finally
        {
            scope.Reply?.CopyTo(ReplyHeaders);
        }
    }
}
