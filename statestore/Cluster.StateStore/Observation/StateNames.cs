namespace Cluster.StateStore.Observation;

/// <summary>The names of spans, instruments and tags. No tag holds a key, a partition or an address: these have too
/// many values.</summary>
internal static class StateNames
{
    /// <summary>The name of the meter and of the source of spans.</summary>
    public const string Source = "Cluster.StateStore";

    public const string OperationDuration = "cluster.state.operation.duration";
    public const string OperationRetries = "cluster.state.operation.retries";
    public const string RequestDuration = "cluster.state.request.duration";

    public const string StateTag = "cluster.state.name";
    public const string VerbTag = "cluster.state.verb";
    public const string PartitionCountTag = "cluster.partition.count";
    public const string AttemptsTag = "cluster.state.attempts";
    public const string OutcomeTag = "outcome";
    public const string ErrorTag = "error.type";

    /// <summary>The event of a span: the operation is tried again.</summary>
    public const string AttemptEvent = "attempt";

    /// <summary>The tag of a state that is not registered here, and of a verb that is unknown.</summary>
    public const string Other = "_OTHER";

    public const string Ok = "ok";
    public const string Failed = "failed";
    public const string Cancelled = "cancelled";

    /// <summary>The outcome of a write that may have been carried out.</summary>
    public const string Unknown = "unknown";

    /// <summary>In seconds. Reads of the node's own keys end within the first bucket.</summary>
    public static readonly double[] DurationBuckets =
        [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
}
