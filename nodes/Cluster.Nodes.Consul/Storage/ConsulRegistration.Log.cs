using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Consul.Storage;

internal sealed partial class ConsulRegistration
{
    [LoggerMessage(
        5802, LogLevel.Warning,
        "The Consul agent had forgotten the service {ServiceId}; it is registered again. Was the agent replaced?")]
    private partial void LogRegisteredAgain(string serviceId);

    [LoggerMessage(
        5803, LogLevel.Information,
        "The service {ServiceId} could not be withdrawn: {Cause} Consul removes it by itself once it is beaten no "
        + "more.")]
    private partial void LogNotWithdrawn(string serviceId, string cause);

    [LoggerMessage(
        5804, LogLevel.Information,
        "The session {Session} could not be ended: {Cause} A later beat tries again.")]
    private partial void LogSessionAbandoned(string session, string cause);
}
