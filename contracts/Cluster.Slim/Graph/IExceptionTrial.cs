using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>Finds which values in the data of exceptions can be carried, by a trial write.</summary>
internal interface IExceptionTrial
{
    /// <summary>Whether the value can be carried with its exception.</summary>
    bool IsCarried(Exception owner, object? value);

    /// <summary>Whether the exception is part of the message already, so that a trial need not write it.</summary>
    bool IsSettled(SlimWriter writer, Exception exception);
}
