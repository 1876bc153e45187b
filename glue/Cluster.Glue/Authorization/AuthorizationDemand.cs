using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Authorization;

/// <summary>What <c>RequireAuthorization</c> was told. Immutable; collected in the container.</summary>
/// <param name="Contract">Whose calls it is about; null: all of the server.</param>
/// <param name="Data">The policies, as attributes say them.</param>
internal sealed record AuthorizationDemand(Type? Contract, IAuthorizeData[] Data);
