using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>The code of a user's type that runs when a whole graph has been written or read.</summary>
internal interface IGraphListener
{
    /// <summary>Whether a callback must run when the message has been written.</summary>
    bool EndsWriting { get; }

    /// <summary>Whether a callback must run when the graph is complete.</summary>
    bool EndsReading { get; }

    void RunSerialized(SlimWriter writer, object value);

    void RunDeserialized(SlimReader reader, object instance);

    /// <summary>Runs the notification, after the callbacks of all other objects of the graph.</summary>
    void RunNotification(SlimReader reader, object instance);
}
