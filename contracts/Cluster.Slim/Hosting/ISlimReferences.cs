namespace Cluster.Slim.Hosting;

/// <summary>Carries objects by reference. If an interface is external (<see cref="SlimExternalReferences"/>), the host
/// gets the objects in places of that interface and puts numbers into the message instead. One instance serves one
/// message and is used by one thread at a time.</summary>
public interface ISlimReferences
{
    /// <summary>Takes an object from a place of an external interface while a message is written. Slim calls this once
    /// per object and message; later places refer to the first one. If the message is not completed, the host has to
    /// release the objects that it took.</summary>
    /// <param name="declared">The declared type of the place.</param>
    /// <param name="value">The object; never null.</param>
    /// <returns>The number that <see cref="Import"/> gets on the other side.</returns>
    int Export(Type declared, object value);

    /// <summary>Gives the object for a number of a message that is read. The number may be forged, and Slim may ask for
    /// the same number again.</summary>
    /// <param name="declared">The declared type of the place; the object must fit it.</param>
    /// <param name="number">The number that <see cref="Export"/> returned.</param>
    object Import(Type declared, int number);
}
