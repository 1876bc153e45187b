using System.Security.Claims;
using Cluster.Glue.Client;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Filters;

/// <summary>A call as filters see it, on the side of the caller or of the service. Made for one call, and only where
/// there are filters; used by one filter at a time.</summary>
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

    /// <summary>Whether the caller does not wait for the method to run.</summary>
    public bool IsOneWay => _method.IsOneWay;

    /// <summary>How the call travels.</summary>
    public abstract GlueBinding Binding { get; }

    /// <summary>The arguments of the call. Later filters and the service see changes.</summary>
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

    /// <summary>The caller, on the service's side: see <see cref="GlueCall.User"/>. Null on the caller's
    /// side.</summary>
    public abstract ClaimsPrincipal? User { get; }

    /// <summary>The headers of the call. On the caller's side, the headers that it will send.</summary>
    public abstract GlueHeaders Headers { get; }

    /// <summary>The headers of the answer. On the caller's side they are there after the call.</summary>
    public abstract GlueHeaders ReplyHeaders { get; }

    /// <summary>Cancelled when the caller gives up.</summary>
    public abstract CancellationToken CancellationToken { get; }

    /// <summary>The container: on the service's side the scope that the service lives in; null for a client without
    /// one.</summary>
    public abstract IServiceProvider? Services { get; }

    /// <summary>The end of the chain of filters: makes the call.</summary>
    internal abstract ValueTask ContinueAsync();

    private protected abstract bool Accepts(object? result);

    /// <summary>Whether the call has begun after the filters.</summary>
    internal bool HasRun => Volatile.Read(ref _phase) == PhaseRunning;

    /// <summary>Begins the call. Filters can do that once, and not after they have ended.</summary>
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

    /// <summary>Notes that the filters have ended. True: the call has not begun, and will not.</summary>
    private protected bool TryEnd() => Interlocked.CompareExchange(ref _phase, PhaseOver, 0) == 0;
}
