namespace Cluster.Glue.Wire;

/// <summary>A received message in a pooled array. Each user keeps it and gives it back once; the last one returns the
/// array. The bytes never change.</summary>
internal interface IReceivedMessage
{
    /// <summary>Adds a user, while another one has the message.</summary>
    void Keep();

    /// <summary>Removes a user, who does not read the message any more.</summary>
    void GiveBack();
}
