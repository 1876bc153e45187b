using Cluster.Slim.Codecs.Maps;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>What was read for an exception that could not be given to it at once, because it was not
/// complete.</summary>
/// <param name="Parts">What its constructor needs; null if that has run.</param>
/// <param name="Settings">What is set after that.</param>
/// <param name="Entries">Its data; null if there is none.</param>
internal sealed record ExceptionContent(
    ExceptionParts? Parts, ExceptionSettings Settings, Entries<object, object?>? Entries);
