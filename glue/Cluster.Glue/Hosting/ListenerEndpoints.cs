using Microsoft.AspNetCore.Routing;

namespace Cluster.Glue.Hosting;

/// <summary>The endpoints that a program maps on the listener of its Glue server, in addition to Glue.
/// Immutable.</summary>
internal sealed record ListenerEndpoints(Action<IEndpointRouteBuilder> Map);
