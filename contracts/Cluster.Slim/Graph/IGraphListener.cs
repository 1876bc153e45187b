using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>The code of a user's type that runs when a whole graph has been written or read.</summary>
internal interface IGraphListener
{
    /// <summary>Whether something has to be called when the message has been written.</summary>
    bool EndsWriting { get; }

    /// <summary>Whether something has to be called when the graph is complete.</summary>
    bool EndsReading { get; }

    void RunSerialized(SlimWriter writer, object value);

    void RunDeserialized(SlimReader reader, object instance);

    /// <summary>Runs after all others of the graph were told.</summary>
    void RunNotification(SlimReader reader, object instance);
}
