using Cluster.Glue.Authorization;
using Cluster.Glue.Client;
using Cluster.Glue.Observation;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Serving;

/// <summary>The pool of served calls of one process, and the services that each call needs. Thread-safe.</summary>
internal sealed class IncomingCalls
{
    private readonly CallPool<IncomingCall> _pool;

    public IncomingCalls(
        IServiceProvider services, ServerSettings settings, CallAdmission admission, ServerLog log, GlueMetrics metrics)
    {
        Services = services;
        Settings = settings;
        Admission = admission;
        Log = log;
        Metrics = metrics;
        _pool = new CallPool<IncomingCall>(() => new IncomingCall(this));
    }

    public IServiceProvider Services { get; }

    public ServerSettings Settings { get; }

    public CallAdmission Admission { get; }

    public ServerLog Log { get; }

    public GlueMetrics Metrics { get; }

    public IncomingCall Rent() => _pool.Rent();

    public void Return(IncomingCall call) => _pool.Return(call);

    /// <summary>Logs and counts a one-way call that failed here, because its caller gets no answer.</summary>
    public void NoteFailedOneWay(Exception exception, ContractMethod method)
    {
        Log.OneWayFailed(exception, method.DisplayName);
        Metrics.CountFailedOneWay(method.RpcName, exception);
    }

    /// <summary>Logs and counts a one-way call that is refused, because its method is unknown or there is no
    /// room.</summary>
    public void NoteRefusedOneWay(GlueException refusal, string peer, ContractMethod? method)
    {
        Log.OneWayRefused(peer, refusal.Message);
        Metrics.CountFailedOneWay(method?.RpcName, refusal);
    }
}
