using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Authorization;

/// <summary>The arguments of one call of <c>RequireAuthorization</c>. Immutable; collected in the container.</summary>
/// <param name="Contract">The contract whose calls it protects; null: all of the server.</param>
/// <param name="Data">The policies, in the form of attributes.</param>
internal sealed record AuthorizationDemand(Type? Contract, IAuthorizeData[] Data);
