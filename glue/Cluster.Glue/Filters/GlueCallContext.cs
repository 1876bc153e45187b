using System.Security.Claims;
using Cluster.Glue.Client;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Filters;

/// <summary>A call as filters see it, on the side of the caller or on that of the service. Made for one call, and only
/// where there are filters; for the filter that is at work, one at a time.</summary>
public abstract class GlueCallContext
{
    private const int PhaseRunning = 1;
    private const int PhaseOver = 2;

    private readonly ContractMethod _method;
    private int _phase;

    private protected GlueCallContext(ContractMethod method, Type contract, ArgumentBox? firstArgument)
    {
        _method = method;
        Contract = contract;
        Arguments = new GlueArguments(method.Method, firstArgument);
    }

    /// <summary>The interface that is called.</summary>
    public Type Contract { get; }

    /// <summary>The method; a generic one with its type arguments.</summary>
    public MethodInfo Method => _method.Method;

    /// <summary>Nobody waits for the method to run.</summary>
    public bool IsOneWay => _method.IsOneWay;

    /// <summary>How the call travels.</summary>
    public abstract GlueBinding Binding { get; }

    /// <summary>What the method is called with. Changes count for those who come after.</summary>
    public GlueArguments Arguments { get; }

    /// <summary>What the method returns, without the task around it; null before it has run, and where it returns
    /// nothing. May be replaced. If it was never set, the call returns the default value of its type.</summary>
    /// <exception cref="ArgumentException">The value is not of the result's type.</exception>
    public object? Result
    {
        get;
        set
        {
            if (!Accepts(value))
            {
                throw new ArgumentException(
                    $"{_method.DisplayName} returns {(_method.HasResult ? _method.ResultType : "nothing")}; "
                    + $"{value?.GetType().ToString() ?? "null"} cannot be its result.",
                    nameof(value));
            }

            field = value;
        }
    }

    /// <summary>Who calls, on the service's side: see <see cref="GlueCall.User"/>. Null on the caller's side.</summary>
    public abstract ClaimsPrincipal? User { get; }

    /// <summary>The headers of the call. On the caller's side those that it will carry.</summary>
    public abstract GlueHeaders Headers { get; }

    /// <summary>The headers of the answer. On the caller's side those that came with it, after the call.</summary>
    public abstract GlueHeaders ReplyHeaders { get; }

    /// <summary>Cancelled when the caller gives up.</summary>
    public abstract CancellationToken CancellationToken { get; }

    /// <summary>The container: on the service's side the scope that the service lives in; null for a client without
    /// one.</summary>
    public abstract IServiceProvider? Services { get; }

    /// <summary>The end of the chain of filters: makes the call.</summary>
    internal abstract ValueTask ContinueAsync();

    private protected abstract bool Accepts(object? result);

    /// <summary>The call has begun behind the filters.</summary>
    internal bool HasRun => Volatile.Read(ref _phase) == PhaseRunning;

    /// <summary>Begins the call, which filters can do once, and not when they are through.</summary>
    private protected void BeginRunning()
    {
        var phase = Interlocked.CompareExchange(ref _phase, PhaseRunning, 0);
        if (phase == 0)
            return;
        throw new InvalidOperationException(
            phase == PhaseRunning
                ? $"A filter of {_method.DisplayName} proceeded twice; a filter does not repeat calls."
                : $"A filter of {_method.DisplayName} proceeded after the call: another one had not awaited it.");
    }

    /// <summary>The filters are through. True when the call has not begun, and will not.</summary>
    private protected bool TryEnd() => Interlocked.CompareExchange(ref _phase, PhaseOver, 0) == 0;
}
