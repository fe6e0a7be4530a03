"""Local pushes in plain Python: line by line what `cypher/reward/push_*` and record do."""

from dataclasses import dataclass, field


@dataclass
class Neuron:
    """A page: properties as in the graph, None where there is none yet."""

    base: float = 0.0
    reward: float = 0.0
    strength: float = 0.0
    held: float | None = None
    rate: float | None = None
    inflow: float | None = None
    touched: bool = False
    active: bool = False
    axons: dict[int, float] = field(default_factory=dict)  # weight by neighbour, both directions


class Mirror:
    """A graph in steady mode whose neurons are all accounted for."""

    def __init__(self, damping: float, epsilon: float, limit: int) -> None:
        self.damping, self.epsilon, self.limit = damping, epsilon, limit
        self.neurons: dict[int, Neuron] = {}

    def grant(self, number: int, points: float) -> None:
        """`push_touch`, and a grant before it: (1 - δ) of it is reward at once."""
        neuron = self.neurons.setdefault(number, Neuron())
        neuron.base += points
        neuron.reward += (1 - self.damping) * points
        neuron.touched = True
        neuron.rate = neuron.rate or 0.0

    def link(self, source: int, links: dict[int, float]) -> None:
        """`push_rescale`, the axons, `push_linked`: a page gets axons to others, weight each."""
        page = self.neurons[source]
        total = sum(links.values())
        if total > page.strength:
            old, page.rate = page.rate or 0.0, page.reward / (page.strength + total)
            self._flow(source, page.rate - old, touch=True)
        for number, weight in links.items():
            other = self.neurons.get(number)
            if other is None:
                minted = self.damping * page.reward * weight / total
                other = self.neurons[number] = Neuron(reward=minted)
            other.strength += weight
            page.axons[number] = page.axons.get(number, 0.0) + weight
            other.axons[source] = other.axons.get(source, 0.0) + weight
        page.strength += total
        page.touched = True
        for number, weight in links.items():
            other, more = self.neurons[number], weight * (page.rate or 0.0)
            born = other.inflow is None and other.rate is None
            other.touched = True
            other.inflow = more if born else _plus(other.inflow, more)
            if born and other.strength > 1e-9:
                other.rate = self.damping * more / other.strength
            page.inflow = _plus(page.inflow, weight * (other.rate or 0.0))

    def weigh(self, one: int, two: int, more: float) -> None:
        """`write/axons_again`: an axon weighs more, or less, than before."""
        a, b = self.neurons[one], self.neurons[two]
        a.axons[two] += more
        b.axons[one] += more
        for neuron, other in ((a, b), (b, a)):
            neuron.strength += more
            neuron.inflow = _plus(neuron.inflow, more * (other.rate or 0.0))
            neuron.touched = True

    def prune(self, number: int) -> None:
        """`prune/delete`, and likewise what is forgotten or folded: neighbours count anew."""
        for other, weight in self.neurons.pop(number).axons.items():
            neighbour = self.neurons[other]
            del neighbour.axons[number]
            neighbour.strength -= weight
            neighbour.inflow, neighbour.touched = None, True

    def push(self, rounds: int | None = None) -> bool:
        """`rewards.push`; cut short after so many rounds. Tell whether all residuals are small."""
        while touched := [u for u in self.neurons.values() if u.touched][: self.limit]:
            for u in touched:
                if u.inflow is None:
                    flows = ((self.neurons[v].rate or 0.0) * w for v, w in u.axons.items())
                    u.inflow = sum(flows)
                u.touched, u.held = False, u.base
                self._judge(u)
        done = 0
        while active := [n for n, u in self.neurons.items() if u.active][: self.limit]:
            if done == rounds:
                return False
            done += 1
            moved = {}
            for number in active:
                u = self.neurons[number]
                rate = self._right(u) / u.strength if u.strength > 1e-9 else 0.0
                moved[number], u.rate, u.active = rate - (u.rate or 0.0), rate, False
            for number, more in moved.items():
                self._flow(number, more, touch=False)
            for number in {v for n in active for v in self.neurons[n].axons}:
                if self.neurons[number].inflow is not None:
                    self._judge(self.neurons[number])
        return True

    def _flow(self, number: int, more: float, *, touch: bool) -> None:
        for other, weight in self.neurons[number].axons.items():
            neighbour = self.neurons[other]
            neighbour.inflow = _plus(neighbour.inflow, more * weight)
            neighbour.touched = neighbour.touched or touch

    def _right(self, u: Neuron) -> float:
        return (1 - self.damping) * (u.held or 0.0) + self.damping * (u.inflow or 0.0)

    def _judge(self, u: Neuron) -> None:
        """Mark what has too great a residual; `push_reward`: write a reward that moved."""
        right, most = self._right(u), self.epsilon * u.strength
        if abs(right - (u.rate or 0.0) * u.strength) > most:
            u.active = True
        if abs(right - u.reward) > most:
            u.reward = right


def _plus(known: float | None, more: float) -> float | None:
    """Return a sum; one that is not known stays so."""
    return None if known is None else known + more
