using System.Reflection;

namespace Cluster.Slim.Plans;

/// <summary>What the field compiler needs to know of a slot with a fixed number of bytes.</summary>
internal interface IFixedSlot
{
    int Bytes { get; }

    MethodInfo PutMethod { get; }

    MethodInfo GetMethod { get; }
}
