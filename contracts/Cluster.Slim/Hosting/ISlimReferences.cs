namespace Cluster.Slim.Hosting;

/// <summary>Stands in for objects that do not travel by value: a host that claims an interface
/// (<see cref="SlimExternalReferences"/>) gets the objects that stand in places of it and puts numbers into the message
/// instead. One instance for one message; used by one thread at a time.</summary>
public interface ISlimReferences
{
    /// <summary>Takes an object that stands in a place of an external interface while a message is written. Called once
    /// per object and message; later places refer to the first one. What was taken is the host's to give up again if
    /// the message is not completed.</summary>
    /// <param name="declared">The declared type of the place.</param>
    /// <param name="value">The object; never null.</param>
    /// <returns>What <see cref="Import"/> is asked for on the other side.</returns>
    int Export(Type declared, object value);

    /// <summary>Gives the object for a number of a message that is read. The number may be forged, and the same one may
    /// be asked for again.</summary>
    /// <param name="declared">The declared type of the place, which the object must fit.</param>
    /// <param name="number">What <see cref="Export"/> returned.</param>
    object Import(Type declared, int number);
}
