using Cluster.Nodes.AspNetCore.Caching;

namespace Cluster.Nodes.AspNetCore.Output;

/// <summary>A response as it is kept, with the stamps that its tags had when it was stored. It counts only as long as
/// all tags have these stamps. Immutable.</summary>
/// <param name="Response">The bytes of the response.</param>
/// <param name="Tags">The tags, by their keys in the state of tags.</param>
/// <param name="Stamps">The stamp of each tag.</param>
internal readonly record struct CachedOutput(CachedValue Response, string[] Tags, TagStamp[] Stamps);
