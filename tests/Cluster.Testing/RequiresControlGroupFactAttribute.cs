namespace Cluster.Testing;

/// <summary>A fact that puts a process into a new memory control group, which needs the right to make one.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresControlGroupFactAttribute()
    : RequiresFactAttribute(MemoryControlGroup.WhatIsMissing);
