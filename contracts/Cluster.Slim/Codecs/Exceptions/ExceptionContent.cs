using Cluster.Slim.Codecs.Maps;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Holds what was read of an exception until the graph is complete, because parts of it were not complete when
/// its body ended.</summary>
/// <param name="Parts">The arguments of its constructor; null if the constructor has run.</param>
/// <param name="Settings">The properties to set after the constructor.</param>
/// <param name="Entries">Its data; null if there are none.</param>
internal sealed record ExceptionContent(
    ExceptionParts? Parts, ExceptionSettings Settings, Entries<object, object?>? Entries);
